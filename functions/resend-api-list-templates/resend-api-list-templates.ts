import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import {
  requireOneDirection,
  resendList,
  resendListSchema,
  resendPageFields,
  unknownEntry,
} from '#shared/resend/list-page';
import { templateDeclaration } from '#shared/resend/management';
import {
  exampleResendTemplates,
  listedTemplateSchema,
  positionOf,
  resendTemplateWords,
  toListedTemplate,
} from '#shared/resend/templates';
import { findTemplate, findTemplateId } from '#shared/templates/find-template';
import { readNewerTemplates, readTemplatePage } from '#shared/templates/template-store';

export const endpoint = defineEndpoint(
  {
    ...templateDeclaration,
    route: 'GET /resend/templates',
    query: z.strictObject(resendPageFields),
    answers: {
      200: {
        body: resendListSchema(listedTemplateSchema),
        description: 'A page of templates.',
        example: exampleResendTemplates,
      },
    },
    lambda: {
      stack: 'Resend',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Resend',
      summary: 'List templates, as with Resend',
      description: 'Newest first, 20 unless `limit` says otherwise.',
      fields: resendTemplateWords,
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller: { organizationId }, query }, { table }) => {
    const { limit = defaultLimit, after, before } = query;
    requireOneDirection(query);
    const placeOf = async (parameter: 'after' | 'before', name: string) => {
      try {
        const id = await findTemplateId(table, organizationId, name);
        return positionOf(await findTemplate(table, organizationId, id));
      } catch (error) {
        if (error instanceof ServiceError) throw unknownEntry(parameter);
        throw error;
      }
    };
    if (before === undefined) {
      const start = after === undefined ? undefined : await placeOf('after', after);
      const page = await readTemplatePage(table, organizationId, { before: start, limit });
      return resendList(page.templates.map(toListedTemplate), page.next !== undefined);
    }
    const range = { after: await placeOf('before', before), limit: limit + 1 };
    const newer = await readNewerTemplates(table, organizationId, range);
    return resendList(newer.slice(-limit).map(toListedTemplate), newer.length > limit);
  },
);

const defaultLimit = 20;
