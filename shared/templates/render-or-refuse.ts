import { ServiceError } from '#shared/errors/service-error';
import {
  type RenderedTemplate,
  renderTemplate,
  type TemplateParts,
  type Variables,
} from './render-template.ts';

/** @throws ServiceError `rendered_too_large` */
export function renderOrRefuse(template: TemplateParts, variables: Variables): RenderedTemplate {
  const outcome = renderTemplate(template, variables);
  if (outcome.kind === 'rendered') return outcome.rendered;
  throw new ServiceError(
    'rendered_too_large',
    'With these variables the template renders to more than 1 MB, or takes too many steps.',
    { errors: [{ path: 'variables', message: 'make the template render to too much' }] },
  );
}
