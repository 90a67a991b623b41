import Mustache from 'mustache';
import { slotName } from './template-tags.ts';

/** For all parts of a template together. */
const maxOutputBytes = 1024 * 1024;

/** Counts tags and texts. Limits the time, even of loops that print nothing. */
const maxSteps = 200_000;

/** The template's output is too large, or takes too many steps. */
export class OutOfBounds extends Error {
  override readonly name = 'OutOfBounds';
}

/** Prints the parts of one template within bounds, missing variables as nothing, and records which were missing. */
export class BoundedWriter extends Mustache.Writer {
  readonly missing = new Set<string>();
  #escape = (text: string): string => text;
  /** Printed in a layout's slot. */
  #slot: string | undefined;
  #bytes = 0;
  #steps = 0;

  renderPart(
    template: string,
    context: Mustache.Context,
    escapeValue: (text: string) => string,
  ): string {
    this.#escape = escapeValue;
    return this.render(template, context);
  }

  /** The part was already counted when it was rendered. */
  renderLayout(
    layout: string,
    context: Mustache.Context,
    escapeValue: (text: string) => string,
    rendered: string,
  ): string {
    this.#slot = rendered;
    const whole = this.renderPart(layout, context, escapeValue);
    this.#slot = undefined;
    return whole;
  }

  override renderTokens(...[tokens, ...rest]: Parameters<Mustache.Writer['renderTokens']>): string {
    this.#steps += 1 + tokens.length;
    if (this.#steps > maxSteps) throw new OutOfBounds();
    return super.renderTokens(tokens, ...rest);
  }

  override escapedValue([, name = '']: string[], context: Mustache.Context): string {
    return this.#measured(this.#escape(this.#print(name, context)));
  }

  override unescapedValue([, name = '']: string[], context: Mustache.Context): string {
    if (name === slotName && this.#slot !== undefined) return this.#slot;
    return this.#measured(this.#print(name, context));
  }

  override rawValue([, text = '']: string[]): string {
    return this.#measured(text);
  }

  /** An object prints as JSON; a missing value or null as nothing. */
  #print(name: string, context: Mustache.Context): string {
    const value: unknown = context.lookup(name);
    if (value === undefined) this.missing.add(name);
    if (value === undefined || value === null) return '';
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    // Checked before escaping, which takes longer than everything else.
    if (text.length > maxOutputBytes) throw new OutOfBounds();
    return text;
  }

  #measured(text: string): string {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > maxOutputBytes) throw new OutOfBounds();
    return text;
  }
}
