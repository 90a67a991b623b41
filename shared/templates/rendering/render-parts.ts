import Mustache from 'mustache';
import { inOneLine } from '#shared/contacts/email-address';
import type { Template } from '../template.ts';
import type { Variables } from '../variables.ts';
import { BoundedWriter, OutOfBounds } from './bounded-writer.ts';

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

/**
 * Only own members of objects and arrays are variables. Mustache's context uses `in`, which finds `constructor` in
 * every object, and a `length` in every text.
 */
export class VariableContext extends Mustache.Context {
  readonly #view: unknown;
  readonly #parent: VariableContext | undefined;

  constructor(view: unknown, parent?: VariableContext) {
    super(view, parent);
    this.#view = view;
    this.#parent = parent;
  }

  override push(view: unknown): VariableContext {
    return new VariableContext(view, this);
  }

  /**
   * The value of a dotted path, if any. The innermost section that knows the first name decides (Mustache
   * specification, "Dotted Names - Context Precedence").
   */
  override lookup(path: string): unknown {
    if (path === '.') return this.#view;
    const [first = '', ...rest] = path.split('.');
    return rest.reduce(memberOf, this.#lookupName(first));
  }

  #lookupName(name: string): unknown {
    const found = memberOf(this.#view, name);
    const isElsewhere = found === undefined && this.#parent !== undefined;
    return isElsewhere ? this.#parent.#lookupName(name) : found;
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
