import * as z from 'zod/mini';
import { maxKindsOfRequest, refusalRetentionDays, refusalSchema } from '#shared/access/refusal';
import { listRefusals, refusalPositionSchema } from '#shared/access/refusal-list-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { momentForms } from '#shared/suppressions/suppression-reference';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema, timeAt } from '#shared/table/list-position';
import { maxExamined } from '#shared/table/list-search';
import { momentInQuery } from '#shared/timing/moment';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';

const routePattern = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE) \/\S{0,200}$/;

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/requests',
    access: { key: 'required', scope: ['read_sends', 'refusals_read', 'manage_organization'] },
    query: z.strictObject({
      ...pageQueryFields,
      key: z.optional(apiKeyIdSchema),
      route: z.optional(
        z.string().check(
          z.regex(routePattern, {
            error: 'must be method and path, such as POST /api/v1/emails/send',
          }),
        ),
      ),
      // Any code, as entries from another version may have codes that this one doesn't know.
      code: z.optional(
        z.string().check(
          z.regex(/^[a-z_]{1,64}$/, {
            error: 'must be an error code, such as validation_failed',
          }),
        ),
      ),
      requestId: z.optional(
        z
          .string()
          .check(z.regex(/^[\w+/=.-]{1,128}$/, { error: 'must be the X-Request-Id of an answer' })),
      ),
      from: z.optional(momentInQuery),
      until: z.optional(momentInQuery),
    }),
    answers: {
      200: {
        body: z.extend(pageSchema(refusalSchema), { lookedUntil: z.nullable(z.int()) }),
        description: 'A page of refused requests.',
        example: {
          data: [
            {
              apiKeyId: exampleIds.apiKey,
              route: 'POST /api/v1/emails/send',
              status: 400,
              code: 'validation_failed',
              fields: ['attachments.*.contentBase64', 'html'],
              message:
                '`attachments.*.contentBase64` is required; `html` is not a field here: use htmlContent',
              at: exampleTime,
              requestId: 'bGBmcgUlliAEJzg=',
              count: 12,
            },
          ],
          nextCursor: null,
          lookedUntil: null,
        },
      },
    },
    lambda: { stack: 'Recipients', tableActions: ['GetItem', 'Query'] },
    words: {
      section: 'API keys',
      summary: 'List requests that were refused',
      description: `Why a program gets 400: the requests of the last ${refusalRetentionDays} days that got a status from 400 to 499, newest first. One entry covers all requests of a key in one minute with the same route, code and invalid fields.

A batch that is sent has entries for the emails it leaves out, at most ${maxKindsOfRequest}: \`count\` is how many were refused for the same reason.

Requests without a valid key aren't kept, but those with a revoked or expired one are. Errors of the service (500 and up), console requests and what API Gateway refuses itself aren't listed. None of a request's values are kept: no body, address or path parameter. With \`keepRefusedShapes\` in the organization’s settings, the names and types of its body are.

\`from\` and \`until\` use an index. For \`key\`, \`route\`, \`code\` and \`requestId\` one request searches at most ${maxExamined} entries: its page can have fewer entries than \`limit\`, or none, and still have a \`nextCursor\`.`,
      fields: {
        key: 'The ID of an API key.',
        route:
          'Method and path, with the names of path parameters: `GET /api/v1/contacts/{email}`. As in `data.route`.',
        code: 'The code of the error.',
        from: `Refused in the minute of this moment or later: ${momentForms}`,
        requestId:
          'The `X-Request-Id` of an answer. An entry knows that of the last request it stands for, and of up to eight before it.',
        until: 'Refused in a minute that began before this moment, in the same formats.',
        'data.apiKeyId': 'The API key that made the requests.',
        'data.route': 'Method and path of the endpoint, with the names of path parameters.',
        'data.status': 'The status of the answer. For `/resend` and `/postmark`, theirs.',
        'data.code': 'The code of the error at that time.',
        fields:
          'The paths of the invalid fields, at most ten, in the names of the API that was called. `*` is a position in a list, or an unknown field whose name doesn’t look like one.',
        message: 'The message of the last of these requests, without any values from the request.',
        at: 'The last of these requests, in epoch milliseconds.',
        'data.requestId': 'The `X-Request-Id` of the last of these requests.',
        requestIds: 'Those of the last few, at most nine, if there were several.',
        shape:
          'Names and types in the body of the last of these requests, without values: `{ to: string, tags: [{ name: string }] }`. Names that look like none are `*`; a long one ends with `…`. Only with `keepRefusedShapes`.',
        count:
          'How many there were: requests, or emails of batches. Of more than nine, the last few may be missing.',
        lookedUntil:
          'Every match last refused after this moment is in this page or an earlier one. `null` on the last page.',
      },
      example: { query: { code: 'validation_failed', limit: '20' } },
    },
  },
  async ({ caller, query }, { table, now }) => {
    const { limit, cursor, ...filters } = query;
    const { key: apiKeyId, from: since, ...others } = filters;
    const scope = { list: 'refused requests', owner: caller.cursorOwner, filters };
    const before = unsealCursor(cursor, refusalPositionSchema, scope);
    const search = { before, limit, since, apiKeyId, ...others };
    const { found, next } = await listRefusals(table, caller.organizationId, search, now());
    return {
      data: found,
      nextCursor: sealCursor(next, scope),
      lookedUntil: next === undefined ? null : timeAt(next),
    };
  },
);
