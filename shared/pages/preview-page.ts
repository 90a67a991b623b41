import type { ServiceError } from '#shared/errors/service-error';
import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';

/**
 * Disables links: they would open a window, which a sandboxed page may not. At the end, because before the doctype it
 * would change the layout.
 */
const deadLinks = '<base target="_blank">';

/** The HTML body, or else the text. */
export const previewPage = (rendered: {
  readonly html: string | undefined;
  readonly content: string;
}): string =>
  rendered.html === undefined ? textPage(rendered.content) : rendered.html + deadLinks;

type KeptEmail = {
  readonly html: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly { readonly filename: string; readonly size: number }[];
};

/** The HTML, or if there's none, headers, attachments and text. */
export const keptEmailPage = ({ html: body, text, headers, attachments }: KeptEmail): string => {
  if (body !== undefined) return previewPage({ html: body, content: text });
  const lines = [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...attachments.map(({ filename, size }) => `Attachment: ${filename} (${size} bytes)`),
  ];
  return textPage([...lines, ...(lines.length > 0 ? [''] : []), text].join('\n'));
};

const textPage = (text: string): string =>
  html`<!doctype html>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Plain text</title>
<pre style="white-space: pre-wrap; overflow-wrap: anywhere">${text}</pre>
`.text;

export const previewErrorPage = ({ message, errors = [] }: ServiceError, requestId: string) =>
  layOutPage({
    title: 'No preview',
    content: html`<h1>No preview</h1>
<p>${message}</p>
${errors.map(({ path, message }) => html`<p><b>${path}</b>: ${message}</p>`)}
<p class="quiet">Request ID: ${requestId}</p>`,
  });
