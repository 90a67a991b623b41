import type * as z from 'zod/mini';
import { openApiKeyStore } from '#shared/access/api-key-store';
import type { tableEnvironment } from '#shared/config/environment';
import { openTable } from '#shared/table/table-client';
import { openTemplateStore } from './template-store.ts';

/** What reading and changing one template, and admitting who does, uses. */
export function openTemplates(environment: z.output<typeof tableEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  return {
    now: Date.now,
    apiKeys: openApiKeyStore(table),
    templates: openTemplateStore(table),
  };
}
export type Templates = Omit<ReturnType<typeof openTemplates>, 'apiKeys'>;
