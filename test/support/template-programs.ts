import * as z from 'zod';
import { putApiKey } from '#shared/access/api-key-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { buildApiKey } from './api-key-builder.ts';
import { buildOrganization } from './organization-builder.ts';
import { useTwin } from './twin.ts';

export type Fields = Readonly<Record<string, unknown>>;
type RequestHeaders = Readonly<Record<string, string>>;

const answerShape = z.looseObject({
  id: z.string().optional(),
  code: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** Starts the twin for all tests of a file, and makes programs that use its templates over HTTP. */
export async function useTemplatePrograms() {
  const { baseUrl, inboxUrl, tableName } = await useTwin();
  const table = openTable(tableName);

  const programWith = (apiKey: string | undefined) => createProgram(baseUrl, apiKey);
  const newKey = async (): Promise<string> => {
    const organization = buildOrganization();
    await putOrganization(table, organization);
    const { text, apiKey } = buildApiKey({ organizationId: organization.id, scopes: [] });
    await putApiKey(table, apiKey);
    return text;
  };
  return {
    baseUrl,
    inboxUrl,
    programWith,
    /** A program with one key of an organization of its own. */
    newProgram: async () => programWith(await newKey()),
  };
}

function createProgram(baseUrl: string, apiKey: string | undefined) {
  const call = async (
    method: string,
    path: string,
    body?: Fields | string,
    headers: RequestHeaders = {},
  ) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = answerShape.parse(text === '' ? {} : JSON.parse(text));
    const paths = answer.errors?.map(({ path: at }) => at);
    return { status: response.status, headers: response.headers, text, body: answer, paths };
  };
  const create = async (fields: Fields = {}) => {
    const { body, status, text } = await call('POST', '/templates', fieldsWith(fields));
    if (body.id === undefined) throw new Error(`not created: ${status} ${text}`);
    return { ...body, id: body.id };
  };
  return { call, create };
}

/** A template with both bodies, under a name of its own. */
export const fieldsWith = (fields: Fields): Fields => ({
  name: `Receipt ${crypto.randomUUID()}`,
  subject: 'Your receipt, {{name}}',
  htmlContent: '<p>Thank you, {{name}}.</p>',
  content: 'Thank you, {{name}}.',
  ...fields,
});
