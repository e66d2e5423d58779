// serve.mjs FOLDER [PORT]: serves a folder's files on this machine alone.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
  ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

function fileOf(folder, url) {
  const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
  return file.startsWith(folder) && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/** A server of `folder`; resolves when it listens. Port 0: any. */
export function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    let file;
    try {
      file = fileOf(resolve(folder), request.url);
    } catch {
      file = undefined; // a URL that is none
    }
    response.writeHead(file ? 200 : 404, { "content-type": TYPES[extname(file ?? "")] ?? "text/plain", "cache-control": "no-store", "access-control-allow-origin": "*" });
    if (file) createReadStream(file).pipe(response);
    else response.end("there is no such file\n");
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(process.argv[2], Number(process.argv[3] ?? 8000));
  console.log(`http://localhost:${server.address().port}/`);
}
