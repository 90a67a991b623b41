import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { gifImage } from '#shared/http/response-body';
import { hitDeclaration } from '#shared/sends/record-engagement';

export const endpoint = defineEndpoint({
  ...hitDeclaration,
  route: ['GET /t/o/{token}', 'HEAD /t/o/{token}'],
  path: z.object({ token: z.string() }),
  answers: { 200: { body: gifImage, description: 'A transparent image of one pixel.' } },
  errors: ['link_not_found'],
  words: {
    section: 'Links in emails',
    summary: 'Load the open pixel',
    description:
      'Records the open. `HEAD` answers the same and records nothing. Nothing is recorded for an organization that was deleted or whose links are turned off.',
    fields: { token: 'The signed token of the pixel.' },
    example: { path: { token: 'v1.k1.…' } },
  },
});
