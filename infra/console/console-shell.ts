/** What the shell loads, as URLs: the script that begins first, then those that it imports at once. */
export type ShellParts = { readonly scripts: readonly string[]; readonly style: string };

/** The page that every address of the console answers. The app takes it from there. */
export const consoleShell = ({ scripts: [main = '', ...imported], style }: ShellParts): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Email console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
${imported.map((script) => `<link rel="modulepreload" href="${script}">\n`).join('')}<script type="module" src="${main}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript. What it shows is also at /api/v1: see <a href="/docs">/docs</a>.</noscript>
</body>
</html>
`;
