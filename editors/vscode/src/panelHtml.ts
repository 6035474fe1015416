// The page of a panel: no remote content, no inline script, no inline style.

import * as vscode from 'vscode';

/** Returns a page that runs `dist/webview/<name>.js` with `media/<name>.css`. `body` never has text of a rule. */
export function panelHtml(webview: vscode.Webview, extension: vscode.Uri, name: string, body: string): string {
  const script = webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', 'webview', `${name}.js`));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(extension, 'media', `${name}.css`));
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src ${webview.cspSource}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
</head>
<body>
${body}
<script src="${script}"></script>
</body>
</html>`;
}

/** The permissions of a panel: scripts, and the folders that it may read. */
export function panelOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: [vscode.Uri.joinPath(extension, 'dist', 'webview'), vscode.Uri.joinPath(extension, 'media')],
  };
}
