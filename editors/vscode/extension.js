// The extension: starts `crashlit lsp`, and shows what its commands answer as a text beside the test. All that is
// known of tests and models is the server's.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SCHEME = "crashlit";
const LANGUAGES = ["litmus", "cat", "crashlit-def", "crashlit-machine", "crashlit-map"];
let client;

// Answers by their URI; a text that nobody looks at any more is forgotten.
const answers = new Map();
const shown = new vscode.EventEmitter();
const provider = { onDidChange: shown.event, provideTextDocumentContent: (uri) => answers.get(uri.toString()) ?? "" };

async function show(question, test, answer) {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${question} ${vscode.Uri.parse(test).path.split("/").pop()}` });
  answers.set(uri.toString(), answer.text || answer.summary);
  shown.fire(uri);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri),
    { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
}

// Commands of lenses come here, too, on their way to the server.
async function executeCommand(command, args, next) {
  const answer = await next(command, args);
  if (answer?.summary !== undefined) await show(command.replace("crashlit.", ""), args[0], answer);
  return answer;
}

function ask(question) {
  return () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "litmus") return vscode.window.showInformationMessage("crashlit: no test is open here");
    return vscode.commands.executeCommand(`crashlit.${question}`, document.uri.toString());
  };
}

function activate(context) {
  const settings = vscode.workspace.getConfiguration("crashlit");
  const server = { command: settings.get("program"), args: ["lsp", ...settings.get("options")] };
  client = new LanguageClient("crashlit", "crashlit", server, {
    documentSelector: LANGUAGES.flatMap((language) => ["file", "untitled"].map((scheme) => ({ language, scheme }))),
    initializationOptions: { check: settings.get("check") },
    middleware: { executeCommand },
  });
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => answers.delete(uri.toString())),
    ...["Check", "Explain", "Narrow", "Repair"].map((name) =>
      vscode.commands.registerCommand(`crashlit.ask${name}`, ask(name.toLowerCase()))));
  return client.start();
}

module.exports = { activate, deactivate: () => client?.stop() };
