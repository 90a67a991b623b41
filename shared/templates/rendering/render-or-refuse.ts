import { invalidField, ServiceError } from '#shared/errors/service-error';
import { withFallbacks } from '../declared-variables.ts';
import type { Variables } from '../variables.ts';
import { type RenderedParts, renderParts, type TemplateParts } from './render-parts.ts';

export type RenderedTemplate = RenderedParts & {
  /** The text body, or else the text of the HTML. Beside HTML, the subject if that has no words. */
  readonly content: string;
};

/**
 * Declared fallbacks count as given. A missing variable renders as nothing (`render-parts.ts`), unless the template
 * requires it. `sending/fill-in-template.ts` decides whether an empty subject or body may go out.
 *
 * @param ownSubject the email's own, instead of the template's.
 */
export async function renderOrRefuse(
  template: TemplateParts,
  variables: Variables,
  ownSubject?: string,
): Promise<RenderedTemplate> {
  const outcome = renderParts(template, withFallbacks(template.variables, variables));
  if (outcome.kind === 'too_large') {
    throw new ServiceError('rendered_too_large', undefined, {
      errors: [{ path: 'variables', message: 'make the template render to too much' }],
    });
  }
  const { rendered } = outcome;
  const { html } = rendered;
  const content = rendered.content ?? (await textOf(html ?? ''));
  const subject = ownSubject ?? rendered.subject;
  // An email needs a text, and HTML made of pictures may have none.
  const isTextless = html !== undefined && content.trim() === '';
  return { ...rendered, subject, content: isTextless ? subject : content };
}

/** Loads the tokenizer only if needed: its table of entities adds 5 ms to a cold start. */
async function textOf(html: string): Promise<string> {
  const { textOfHtml } = await import('./text-of-html.ts');
  return textOfHtml(html);
}

/** For a version whose layout has been deleted since. */
export const withoutLayout = (): ServiceError =>
  invalidField('templateVersion', 'had a layout that was deleted');
