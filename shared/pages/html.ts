/** Markup that is safe to send: we wrote it, and every value in it is escaped. Only `html` makes one. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
export type Html = Markup;

type HtmlValue = string | Html | readonly Html[] | undefined;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

/**
 * Escapes strings for text and for quoted attribute values, so write attributes with quotes. Inserts another `html`
 * unchanged, and nothing for `undefined`.
 */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Markup(
    literals.reduce((text, literal, index) => text + write(values[index - 1]) + literal),
  );
}

function write(value: HtmlValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  return value instanceof Markup ? value.text : value.map(write).join('');
}
