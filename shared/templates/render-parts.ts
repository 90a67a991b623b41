import Mustache from 'mustache';
import { BoundedWriter, OutOfBounds } from './bounded-writer.ts';
import type { Template } from './template.ts';
import { VariableContext } from './variable-context.ts';

/** The values of a template's variables. They are JSON, so they hold no functions. */
export type Variables = Readonly<Record<string, unknown>>;

export type TemplateParts = Pick<Template, 'subject' | 'htmlContent' | 'content'>;

export type RenderedParts = {
  /** One line, whatever the variables hold. */
  readonly subject: string;
  readonly html: string | undefined;
  readonly content: string | undefined;
  /** Variables that are printed but weren't given, each once. */
  readonly missingVariables: readonly string[];
};

export type RenderOutcome =
  | { readonly kind: 'rendered'; readonly rendered: RenderedParts }
  | { readonly kind: 'too_large' };

/**
 * Renders a template. Values are escaped in the HTML part only. An object prints as JSON, a missing variable
 * as nothing.
 */
export function renderParts(template: TemplateParts, variables: Variables): RenderOutcome {
  try {
    return { kind: 'rendered', rendered: render(template, new VariableContext(variables)) };
  } catch (error) {
    if (error instanceof OutOfBounds) return { kind: 'too_large' };
    throw error;
  }
}

function render(template: TemplateParts, context: VariableContext): RenderedParts {
  const { subject, htmlContent, content } = template;
  const writer = new BoundedWriter();
  const plain = (text: string) => writer.renderPart(text, context, asItIs);
  return {
    subject: inOneLine(plain(subject)),
    html:
      htmlContent === undefined
        ? undefined
        : writer.renderPart(htmlContent, context, Mustache.escape),
    content: content === undefined ? undefined : plain(content),
    missingVariables: [...writer.missing],
  };
}

const asItIs = (text: string): string => text;

/** A line break in a name is no reason to lose the email, and must not end the header. */
const inOneLine = (subject: string): string => subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
