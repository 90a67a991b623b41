import { ServiceError } from '#shared/errors/service-error';
import {
  type RenderOutcome,
  renderTemplate,
  type TemplateParts,
  type Variables,
} from './render-template.ts';

export type RenderedTemplate = Omit<Extract<RenderOutcome, { kind: 'rendered' }>, 'kind'>;

/** @throws ServiceError `rendered_too_large` */
export function renderOrRefuse(
  { subject, htmlContent, content }: Partial<TemplateParts> & Pick<TemplateParts, 'subject'>,
  variables: Variables,
): RenderedTemplate {
  const outcome = renderTemplate({ subject, htmlContent, content }, variables);
  if (outcome.kind === 'rendered') return outcome;
  throw new ServiceError(
    'rendered_too_large',
    'With these variables the template renders to more than 1 MB, or takes too many steps.',
  );
}
