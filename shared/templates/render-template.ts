import Mustache from 'mustache';
import { VariableContext } from './variable-context.ts';

/** The values of a template's variables: JSON, so without functions. */
export type Variables = Readonly<Record<string, unknown>>;

export type TemplateParts = {
  readonly subject: string;
  readonly htmlContent: string | undefined;
  readonly content: string | undefined;
};

export type RenderOutcome =
  | {
      readonly kind: 'rendered';
      readonly subject: string;
      readonly html: string | undefined;
      readonly content: string | undefined;
      /** Variables the template names and the caller did not give, each once. */
      readonly missingVariables: readonly string[];
    }
  | { readonly kind: 'too_large' };

/** The three parts together. */
const maxOutputLength = 1_000_000;
/** Tags and texts, each time they are rendered: what bounds the time, even of loops that print nothing. */
const maxSteps = 200_000;

/**
 * Renders a template: values are escaped in the HTML part and stand as they are in subject and text; an
 * object prints as JSON, a missing variable as nothing.
 */
export function renderTemplate(template: TemplateParts, variables: Variables): RenderOutcome {
  const writer = new BoundedWriter();
  const render = (text: string, escapeText: (value: string) => string) =>
    writer.render(text, new VariableContext(variables), undefined, {
      escape: (value: unknown) => escapeText(printed(value)),
    });
  try {
    return {
      kind: 'rendered',
      subject: render(template.subject, asItIs),
      html: template.htmlContent && render(template.htmlContent, Mustache.escape),
      content: template.content && render(template.content, asItIs),
      missingVariables: [...writer.missing],
    };
  } catch (error) {
    if (error instanceof OutOfBounds) return { kind: 'too_large' };
    throw error;
  }
}

class OutOfBounds extends Error {
  override readonly name = 'OutOfBounds';
}

/** Mustache's writer with a bound on what it writes, and a note of what it looked for in vain. */
class BoundedWriter extends Mustache.Writer {
  readonly missing = new Set<string>();
  #length = 0;
  #steps = 0;

  override renderTokens(...[tokens, ...rest]: Parameters<Mustache.Writer['renderTokens']>): string {
    this.#steps += 1 + tokens.length;
    if (this.#steps > maxSteps) throw new OutOfBounds();
    return super.renderTokens(tokens, ...rest);
  }

  override escapedValue(...[token, context, config]: EscapedValueCall): string {
    this.#note(token, context);
    return this.#measure(super.escapedValue(token, context, config));
  }

  override unescapedValue(token: string[], context: Mustache.Context): string {
    this.#note(token, context);
    const value: unknown = context.lookup(token[1] ?? '');
    return this.#measure(value === undefined || value === null ? '' : printed(value));
  }

  override rawValue(token: string[]): string {
    return this.#measure(super.rawValue(token));
  }

  #note([, name = '']: string[], context: Mustache.Context): void {
    if (context.lookup(name) === undefined) this.missing.add(name);
  }

  #measure(text: string | undefined): string {
    this.#length += text?.length ?? 0;
    if (this.#length > maxOutputLength) throw new OutOfBounds();
    return text ?? '';
  }
}

type EscapedValueCall = Parameters<Mustache.Writer['escapedValue']>;

const asItIs = (text: string): string => text;

const printed = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
