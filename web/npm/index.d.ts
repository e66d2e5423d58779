// crashlit as a function: what `crashlit check --format json` says of one test, as data.

export interface Options {
  /** visibility model, such as "hrf-direct" (the default), "sc", "ptx", or a file of `files` */
  visibility?: string;
  /** persistency model, such as "epoch" (the default), "strict", "none", or a file of `files` */
  persistency?: string;
  engine?: "auto" | "enum" | "smt" | "machine";
  /** seconds for the test; the limit of a thread that waits is the caller's */
  timeout?: number;
  /** what the record has of executions: nothing (the default), all there is of them as data, pictures as well */
  executions?: "none" | "data" | "pictures";
  /** the name of the test's file in the record and in messages: "test.litmus" unless said */
  name?: string;
  /** definitions and models that the test or the options name, by their names: { "own.def": "..." } */
  files?: Record<string, string>;
  /** further options of the command: ["--unroll", "4"] */
  options?: string[];
}

/** What is wrong, where (from 1, columns in bytes, the end behind the last one), and the word that was probably meant. */
export interface Message {
  severity: "error" | "warning" | "note";
  id: string | null;
  text: string;
  file: string | null;
  line?: number;
  column?: number;
  end_line?: number;
  end_column?: number;
  fix?: { file: string; line: number; column: number; end_line: number; end_column: number; found: string; text: string };
}

/** What is thrown of a test that cannot be read, and of options that there are not: the program's own messages. */
export class CrashlitError extends Error {
  status: number;
  messages: Message[];
}

/** Checks one test. Each call has an instance of the program of its own, which runs on the caller's thread. */
export function check(text: string, options?: Options): Promise<Answer>;

/** The command: its arguments and the files that it sees; nothing is thrown. */
export function run(args: string[], files?: Record<string, string>): Promise<{ status: number; out: string; err: string; written: Record<string, string> }>;

/** "crashlit 0.2", as the command says it. */
export function version(): Promise<string>;

