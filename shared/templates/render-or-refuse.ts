import { ServiceError } from '#shared/errors/service-error';
import {
  type RenderedParts,
  renderParts,
  type TemplateParts,
  type Variables,
} from './render-parts.ts';

/** What a send takes as `subject`, `htmlContent` and `content`. */
export type RenderedTemplate = RenderedParts & {
  /** Of a template without a text body, the text of its HTML. */
  readonly content: string;
};

/**
 * A missing variable is no fault: it prints nothing (`render-parts.ts`). Whether a subject or a body without a word
 * may go out is decided in `sending/fill-in-template.ts`.
 *
 * @throws ServiceError `rendered_too_large`
 */
export async function renderOrRefuse(
  template: TemplateParts,
  variables: Variables,
): Promise<RenderedTemplate> {
  const outcome = renderParts(template, variables);
  if (outcome.kind === 'too_large') {
    throw new ServiceError(
      'rendered_too_large',
      'With these variables the template renders to more than 1 MB, or takes too many steps.',
      { errors: [{ path: 'variables', message: 'make the template render to too much' }] },
    );
  }
  const { rendered } = outcome;
  return { ...rendered, content: rendered.content ?? (await textOf(rendered.html ?? '')) };
}

/** Loads the tokenizer only when it is needed. Its table of entities costs a cold start 5 ms. */
async function textOf(html: string): Promise<string> {
  const { textOfHtml } = await import('./text-of-html.ts');
  return textOfHtml(html);
}
