import { type Html, html } from './html.ts';
import { pageStyle } from './page-style.ts';

type PageFrame = {
  /** The tab shows it and a screen reader says it first. After a form was sent, it's the result. */
  readonly title: string;
  /** `undefined` if the link names none. */
  readonly organizationName?: string;
  readonly content: Html;
};

/**
 * No script, no image, no further request: a page opens fast on a slow connection, and no third party learns who opened
 * it.
 */
export function layOutPage({ title, organizationName, content }: PageFrame): string {
  const fullTitle = organizationName === undefined ? title : `${title} – ${organizationName}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${fullTitle}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
${organizationName === undefined ? undefined : html`<header><bdi>${organizationName}</bdi></header>`}
<main>
${content}
</main>
</body>
</html>
`.text;
}
