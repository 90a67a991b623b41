import { type Html, html } from '#shared/pages/html';

/** Lays out plain text: an empty line divides paragraphs, `- ` begins an entry of a list. */
export const richText = (text: string): Html =>
  html`${text.split(/\n\n+/).map((block) =>
    block.startsWith('- ')
      ? html`<ul>${block
          .slice(2)
          .split('\n- ')
          .map((entry) => html`<li>${inline(entry)}</li>`)}</ul>`
      : html`<p>${inline(block)}</p>`,
  )}`;

/** Text in which backticks mark code. */
export const inline = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
