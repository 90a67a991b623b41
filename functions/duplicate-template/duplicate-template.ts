import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  newTemplate,
  storeTemplate,
  type TemplateCreation,
} from '#shared/templates/store-template';
import { contentOf, type Template } from '#shared/templates/template';
import { findTemplate } from '#shared/templates/templates';
import type { endpoint } from './endpoint.ts';

/** Makes a template of another's newest content. */
export async function duplicateTemplate(
  { caller, path, body: { draft, ...names } }: RequestTo<typeof endpoint>,
  creation: TemplateCreation,
): Promise<Template> {
  const source = await findTemplate(path.id, caller.organizationId, creation.templates);
  const { kind } = source;
  const fields = { ...contentOf(source), ...names, ...(kind !== undefined && { kind }) };
  const template = newTemplate(caller.organizationId, fields, {
    isDraft: draft,
    now: creation.now(),
  });
  return storeTemplate(template, caller, creation);
}
