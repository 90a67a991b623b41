import { type Authentication, authenticateKey } from '#shared/access/authenticate';
import { type RenderedTemplate, renderOrRefuse } from '#shared/templates/render-or-refuse';
import type { TemplateDraft } from './endpoint.ts';

/**
 * Renders a template that is not stored, as a send would render it once it is.
 *
 * @param parse reads the draft, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `malformed_body`, `validation_failed`, `rendered_too_large`
 */
export async function showPreview(
  credential: string | undefined,
  parse: () => Promise<TemplateDraft>,
  authentication: Authentication,
): Promise<RenderedTemplate> {
  await authenticateKey(credential, authentication);
  const { subject = '', variables = {}, ...bodies } = await parse();
  return renderOrRefuse({ subject, ...bodies }, variables);
}

/**
 * The fields of a form that somebody filled in. A browser writes line breaks as CRLF, whatever was typed (HTML
 * standard, "multipart/form-data encoding algorithm"): a long template must not grow over its limit by that.
 */
export function typedFields(fields: URLSearchParams): URLSearchParams {
  const typed = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value !== '') typed.append(name, value.replaceAll('\r\n', '\n'));
  }
  return typed;
}
