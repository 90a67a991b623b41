import { footerHtml, footerText } from '#shared/email/email-footer';
import type { Organization } from '#shared/organizations/organization';
import { html } from '#shared/pages/html';

/** Each email has links of its own; these stand for them. */
const links = {
  unsubscribe: 'https://…/api/unsubscribe?token=…',
  preferences: 'https://…/preferences?token=…',
};

/** The end of a bulk email of the organization, as HTML and as text. Like a mail, it is black on white. */
export const footerPreview = (organization: Organization): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Footer of bulk emails</title>
<style>
body { margin: 0; padding: 1rem; background: #fff; color: #16191d; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2 { margin: 0 0 .5rem; font-size: .875rem; color: #565e69; }
h2 { margin-top: 2rem; }
pre { margin: 0; white-space: pre-wrap; font: .875rem/1.5 ui-monospace, monospace; }
</style>
</head>
<body>
<h1>The HTML of an email ends</h1>
<div>… your last line.</div>
${footerHtml(organization, { unsubscribe: '#', preferences: '#' })}
${
  html`<h2>Its text ends</h2>
<pre>… your last line.${footerText(organization, links)}</pre>`.text
}
</body>
</html>
`;
