import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  newTemplate,
  storeTemplate,
  type TemplateCreation,
} from '#shared/templates/store-template';
import type { Template } from '#shared/templates/template';
import type { endpoint } from './endpoint.ts';

export async function createTemplate(
  { caller, body: { draft, subject = '', ...fields } }: RequestTo<typeof endpoint>,
  creation: TemplateCreation,
): Promise<Template> {
  const now = creation.now();
  const content = { ...fields, subject };
  return storeTemplate(
    newTemplate(caller.organizationId, content, { isDraft: draft, now }),
    caller,
    creation,
  );
}
