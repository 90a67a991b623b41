type ShellParts = {
  /** Runs in the page itself, and loads the first script and the style sheet. */
  readonly starter: string;
  /** What the script loads later, by the name of its part: the files' addresses. */
  readonly late: Readonly<Record<string, readonly string[]>>;
};

/** The navigation's mark, in ink on paper or paper on ink. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'><style>@media(prefers-color-scheme:dark){rect{fill:#f4f4f5}path{stroke:#09090b}}</style><rect width='20' height='20' rx='5.5' fill='#18181b'/><path d='M4.5 6.5h11v7.5h-11zl5.5 4.5 5.5-4.5' fill='none' stroke='#fafafa' stroke-width='1.4'/></svg>",
)}`;

export const consoleShell = ({ starter, late }: ShellParts): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Email console</title>
<link rel="icon" href="${icon}">
</head>
<body>
<div id="app" data-late='${JSON.stringify(late)}'><p id="start" role="status"></p></div>
<noscript>The console needs JavaScript. What it shows is also at /api/v1: see <a href="/docs">/docs</a>.</noscript>
<script type="module">${starter}</script>
</body>
</html>
`;
