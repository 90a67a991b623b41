import Mustache from 'mustache';
import { inOneLine } from '#shared/contacts/email-address';
import type { Template } from '../template.ts';
import { BoundedWriter, OutOfBounds } from './bounded-writer.ts';
import { VariableContext } from './variable-context.ts';

export type Variables = Readonly<Record<string, unknown>>;

type Bodies = Pick<Template, 'htmlContent' | 'content'>;

export type TemplateParts = Pick<Template, 'subject' | 'variables'> &
  Bodies & {
    /** Wrapped around each body that both have. */
    readonly layoutParts?: Bodies;
  };

export type RenderedParts = {
  /** One line, whatever the variables contain. */
  readonly subject: string;
  readonly html: string | undefined;
  readonly content: string | undefined;
  /** Variables printed but not given; each once. */
  readonly missingVariables: readonly string[];
};

type RenderOutcome =
  | { readonly kind: 'rendered'; readonly rendered: RenderedParts }
  | { readonly kind: 'too_large' };

/** Escapes values in the HTML part only. An object prints as JSON, a missing variable as nothing. */
export function renderParts(template: TemplateParts, variables: Variables): RenderOutcome {
  try {
    return { kind: 'rendered', rendered: render(template, new VariableContext(variables)) };
  } catch (error) {
    if (error instanceof OutOfBounds) return { kind: 'too_large' };
    throw error;
  }
}

function render(template: TemplateParts, context: VariableContext): RenderedParts {
  const { subject, layoutParts } = template;
  const writer = new BoundedWriter();
  const body = (part: keyof Bodies, escapeValue: (text: string) => string) => {
    const [text, layout] = [template[part], layoutParts?.[part]];
    if (text === undefined) return undefined;
    const rendered = writer.renderPart(text, context, escapeValue);
    return layout === undefined
      ? rendered
      : writer.renderLayout(layout, context, escapeValue, rendered);
  };
  return {
    subject: inOneLine(writer.renderPart(subject, context, asItIs)),
    html: body('htmlContent', Mustache.escape),
    content: body('content', asItIs),
    missingVariables: [...writer.missing],
  };
}

const asItIs = (text: string): string => text;
