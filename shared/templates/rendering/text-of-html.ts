import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

const unseen = new Set('script style template title'.split(' '));
/** Elements that need an end tag, so it's clear where hidden content ends. */
const hideable = new Set('div section span table'.split(' '));
const isHiddenBy = /display\s*:\s*none/i;

/** Elements that start and end their own line. */
const blocks = new Set(
  `address article aside blockquote body br center dd div dl dt fieldset figure footer form h1 h2 h3 h4
  h5 h6 header hr li main nav ol p pre section table tr ul`.split(/\s+/),
);

/** Elements with an empty line around them. */
const paragraphs = new Set('blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul'.split(' '));

/** A space of preformatted text, until all others are tidy. The HTML's own become spaces, too. */
const keptSpace = '\u{a0}';

/** Not the indentation of preformatted text. */
const blankStart = /^(?:\s*\n| )/;

const contactScheme = /^(?:https?|mailto|tel):/i;

/**
 * Blocks become lines, links have their address in parentheses, images become their alternative text. Keeps the lines
 * of preformatted text. Leaves out what the email hides. Linear time.
 */
export function textOfHtml(html: string): string {
  const reader = new TextReader(html);
  const tokenizer = new Tokenizer({}, reader);
  tokenizer.write(html);
  tokenizer.end();
  return reader.text.toString();
}

class TextReader implements TokenizerCallbacks {
  readonly text = new PlainText();
  readonly #html: string;
  #name = '';
  #attributes = new Map<string, string>();
  #attributeName = '';
  #value = '';
  /** An element whose content is left out; `depth` counts the open elements of its name. */
  #skipped: { readonly name: string; readonly depth: number } | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    this.#add(this.#html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#add(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#html.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    this.#attributes.set(this.#attributeName, this.#value);
  }

  onopentagend(): void {
    const name = this.#name;
    if (this.#skipped !== undefined) this.#countSkipped(name, 1);
    else if (this.#isUnseen(name)) this.#skipped = { name, depth: 1 };
    else this.#open(name);
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#skipped !== undefined) this.#countSkipped(name, -1);
    else if (name === 'a') this.text.closeLink();
    else this.#close(name);
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}

  #open(name: string): void {
    this.text.breakFor(name);
    if (name === 'li') this.text.add('- ');
    else if (name === 'td' || name === 'th') this.text.add(' ');
    else if (name === 'img') this.text.add(this.#attributes.get('alt') ?? '');
    else if (name === 'a') this.text.openLink(urlIn(this.#attributes.get('href') ?? ''));
    else if (name === 'pre') this.text.isPreformatted = true;
  }

  #close(name: string): void {
    if (name === 'pre') this.text.isPreformatted = false;
    this.text.breakFor(name);
  }

  #isUnseen(name: string): boolean {
    const isHidden =
      this.#attributes.has('hidden') || isHiddenBy.test(this.#attributes.get('style') ?? '');
    return unseen.has(name) || (isHidden && hideable.has(name));
  }

  #countSkipped(name: string, change: 1 | -1): void {
    if (this.#skipped?.name !== name) return;
    const depth = this.#skipped.depth + change;
    this.#skipped = depth === 0 ? undefined : { name, depth };
  }

  #add(text: string): void {
    if (this.#skipped === undefined) this.text.add(text);
  }
}

/** As browsers read it (URL standard, "basic URL parser"). An email has no address to take a scheme from. */
function urlIn(href: string): string {
  const url = href.replaceAll(/[\t\n\r]/g, '').trim();
  return url.startsWith('//') ? `https:${url}` : url;
}

class PlainText {
  isPreformatted = false;
  readonly #pieces: string[] = [];
  #link: { readonly href: string; readonly firstPiece: number } | undefined;

  add(text: string): void {
    this.#pieces.push(
      this.isPreformatted
        ? text.replaceAll(/\r\n?/g, '\n').replaceAll(' ', keptSpace)
        : text.replaceAll(/\s+/g, ' '),
    );
  }

  breakFor(element: string): void {
    if (paragraphs.has(element)) this.#pieces.push('\n\n');
    else if (blocks.has(element)) this.#pieces.push('\n');
  }

  openLink(href: string): void {
    this.#link = { href, firstPiece: this.#pieces.length };
  }

  /** Puts the address after the link's text, unless they are the same. */
  closeLink(): void {
    if (this.#link === undefined) return;
    const { href, firstPiece } = this.#link;
    this.#link = undefined;
    const label = this.#pieces.slice(firstPiece).join('').trim();
    const isShown = label === href || `mailto:${label}` === href || `tel:${label}` === href;
    if (contactScheme.test(href) && !isShown) this.add(` (${href})`);
  }

  toString(): string {
    return this.#pieces
      .join('')
      .replaceAll(/ +/g, ' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trimEnd()
      .replace(blankStart, '')
      .replaceAll(keptSpace, ' ');
  }
}
