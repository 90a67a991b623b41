import { type QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { type Attribute, lowerCase, type TagHandler } from './html-tag.ts';
import { findScriptEnd, rawTextElements } from './raw-text.ts';

const cdata = '<![CDATA[';
/** Has the same length, and is read as a comment up to the next `>`. */
const comment = '<!_CDATA[';

/**
 * Feeds the document to the tokenizer, and can jump to another place on the way.
 *
 * `<![CDATA[` has a meaning in SVG and MathML only, but htmlparser2 takes it for a CDATA section anywhere (HTML
 * §13.2.5.42). Elsewhere, another text of the same length is fed instead: within a tag, a comment or raw text both read
 * the same.
 */
class TokenizerFeed {
  readonly #html: string;
  readonly #tokenizer: Tokenizer;
  readonly #isForeign: () => boolean;
  /** The document's offset minus the tokenizer's. */
  #shift = 0;
  #nextCdata = -1;
  #resumption: { readonly at: number; readonly prefix: string } | undefined;

  constructor(html: string, tokenizer: Tokenizer, isForeign: () => boolean) {
    this.#html = html;
    this.#tokenizer = tokenizer;
    this.#isForeign = isForeign;
  }

  offsetOf(tokenizerOffset: number): number {
    return tokenizerOffset + this.#shift;
  }

  /** Runs to the end. Unfinished markup there triggers no callback. */
  run(): void {
    this.#resumption = { at: 0, prefix: '' };
    while (this.#resumption !== undefined) {
      const { at, prefix } = this.#resumption;
      this.#resumption = undefined;
      this.#readFrom(at, prefix);
    }
  }

  /** Continues at this offset as if only `prefix` came before it. For use in callbacks. */
  resumeAt(at: number, prefix = ''): void {
    this.#tokenizer.pause();
    this.#resumption = { at, prefix };
  }

  #readFrom(at: number, prefix: string): void {
    this.#shift = at - prefix.length;
    this.#tokenizer.reset();
    this.#tokenizer.write(prefix);
    let position = at;
    for (;;) {
      const end = this.#findCdata(position);
      this.#tokenizer.write(this.#html.slice(position, end));
      if (!this.#tokenizer.running || end === this.#html.length) return;
      this.#tokenizer.write(this.#isForeign() ? cdata : comment);
      position = end + cdata.length;
    }
  }

  /** Cached, so jumping often doesn't search the document each time. */
  #findCdata(from: number): number {
    if (this.#nextCdata < from) {
      const found = this.#html.indexOf(cdata, from);
      this.#nextCdata = found === -1 ? this.#html.length : found;
    }
    return this.#nextCdata;
  }
}

/**
 * Reads tags as a browser does (HTML §13.2.5), in linear time. Corrects htmlparser2's tokenizer where it departs from
 * the standard:
 *
 * - an end tag may have attributes, and a `>` in their quotes doesn't end it;
 * - a script may hold `</script>` in a comment;
 * - a slash closes a tag only right before its `>`;
 * - `<![CDATA[` (see `TokenizerFeed`).
 */
export class TagReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #handler: TagHandler;
  readonly #feed: TokenizerFeed;
  #finishedUntil = 0;
  #isInRawText = false;
  #name = '';
  #start = 0;
  #isEndTag = false;
  #attributes: Attribute[] | undefined;
  #attributeName = '';
  #valueStart = -1;
  #valueEnd = -1;

  constructor(html: string, handler: TagHandler) {
    this.#html = html;
    this.#handler = handler;
    const tokenizer = new Tokenizer({ decodeEntities: false }, this);
    this.#feed = new TokenizerFeed(html, tokenizer, () => handler.isForeign());
  }

  /**
   * @returns the offset up to which everything is finished. After it comes an unclosed tag, comment or raw text that
   *   would swallow anything appended to the document.
   */
  read(): number {
    this.#feed.run();
    return this.#finishedUntil;
  }

  isInForeignContext(): boolean {
    return this.#handler.isForeign();
  }

  onopentagname(start: number, end: number): void {
    if (this.#isEndTag) return;
    this.#name = this.#nameAt(start, end);
    this.#start = this.#feed.offsetOf(start) - 1;
    this.#attributes = this.#handler.hasAttributes(this.#name) ? [] : undefined;
  }

  onattribname(start: number, end: number): void {
    if (this.#attributes === undefined) return;
    this.#attributeName = this.#nameAt(start, end);
    this.#valueStart = -1;
    this.#valueEnd = this.#feed.offsetOf(end);
  }

  /** Called once for a value, and again if the feed continues with another piece of it. */
  onattribdata(start: number, end: number): void {
    if (this.#attributes === undefined) return;
    if (this.#valueStart === -1) this.#valueStart = this.#feed.offsetOf(start);
    this.#valueEnd = this.#feed.offsetOf(end);
  }

  onattribend(quote: QuoteType): void {
    const valueStart = this.#valueStart === -1 ? this.#valueEnd : this.#valueStart;
    this.#attributes?.push({
      name: this.#attributeName,
      valueStart,
      valueEnd: this.#valueEnd,
      quote,
    });
  }

  onopentagend(last: number): void {
    this.#finishTag(this.#feed.offsetOf(last) + 1, false);
  }

  onselfclosingtag(last: number): void {
    const offset = this.#feed.offsetOf(last);
    this.#finishTag(offset + 1, this.#html[offset - 1] === '/');
  }

  onclosetag(start: number, end: number): void {
    const nameEnd = this.#feed.offsetOf(end);
    const last = this.#html.indexOf('>', nameEnd);
    if (last === -1) return;
    this.#name = this.#nameAt(start, end);
    this.#start = this.#feed.offsetOf(start) - 2;
    this.#isEndTag = true;
    this.#attributes = undefined;
    const mayHoldAnotherEnd = nameEnd !== last && /["']/.test(this.#html.slice(nameEnd, last));
    if (mayHoldAnotherEnd) this.#feed.resumeAt(nameEnd, '<a');
    else this.#finishEndTag(last + 1);
  }

  ontext(_start: number, end: number): void {
    if (!this.#isInRawText) this.#finishedUntil = this.#feed.offsetOf(end);
  }

  oncomment(_start: number, last: number): void {
    this.#finishedUntil = this.#feed.offsetOf(last) + 1;
  }

  oncdata = this.oncomment;
  ondeclaration = this.oncomment;
  onattribentity(): void {}
  ontextentity(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #finishTag(end: number, isSelfClosing: boolean): void {
    if (this.#isEndTag) this.#finishEndTag(end);
    else this.#finishStartTag(end, isSelfClosing);
  }

  #finishEndTag(end: number): void {
    this.#isEndTag = false;
    if (!this.#isInRawText) this.#handler.onEndTag(this.#name, this.#start);
    this.#isInRawText = false;
    this.#finishedUntil = end;
  }

  #finishStartTag(end: number, isSelfClosing: boolean): void {
    const name = this.#name;
    this.#isInRawText = rawTextElements.has(name) && !this.#handler.isForeign();
    this.#handler.onStartTag({
      name,
      start: this.#start,
      isSelfClosing,
      attributes: this.#attributes ?? [],
    });
    this.#attributes = undefined;
    if (!this.#isInRawText) this.#finishedUntil = end;
    else if (name === 'script') this.#feed.resumeAt(findScriptEnd(this.#html, end));
  }

  #nameAt(start: number, end: number): string {
    return lowerCase(this.#html.slice(this.#feed.offsetOf(start), this.#feed.offsetOf(end)));
  }
}
