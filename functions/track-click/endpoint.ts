import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';
import { hitDeclaration } from '#shared/sends/record-engagement';

export const endpoint = defineEndpoint({
  ...hitDeclaration,
  lambda: {
    ...hitDeclaration.lambda,
    tableActions: [...hitDeclaration.lambda.tableActions, 'ConditionCheckItem', 'GetItem'],
  },
  route: ['GET /t/c/{token}', 'HEAD /t/c/{token}'],
  path: z.object({ token: z.string() }),
  answers: {
    200: {
      body: htmlPage,
      description: 'The page that asks first, while the organization is paused.',
    },
    302: { description: 'A redirect to the destination of the link.', headers: ['Location'] },
  },
  errors: ['link_not_found', 'link_withdrawn', 'link_held'],
  words: {
    section: 'Links in emails',
    summary: 'Follow a tracked link',
    description: `Records the click and redirects to the destination of the link. \`HEAD\` answers the same and records nothing. A forged or altered token leads nowhere.

While the organization is paused, a person gets a page that names the destination and asks before going on, and a program gets the error \`link_held\`. Once the organization is deleted, or the operator has turned its links off, the link leads nowhere.`,
    fields: { token: 'The signed token of the link.' },
    example: { path: { token: 'v1.k1.…' } },
  },
});
