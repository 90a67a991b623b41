import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sendAsAsked } from '#shared/sending/answer-send';
import { sendWords } from '#shared/sending/request/send-words';
import { sendDeclaration } from '#shared/sending/send-declaration';
import { openSending } from '#shared/sending/sending';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/emails/send-global',
    ...sendDeclaration,
    admitsInOperation: true,
    uses: openSending,
    words: {
      ...sendWords,
      summary: 'Send an email through the global endpoint',
      description:
        'Takes the same body as `POST /api/v1/emails/send`, and gives the same answers. The usage also counts its sends as `global_endpoint_sends`. An idempotency key belongs to one of the two endpoints.',
      example: {
        headers: { 'idempotency-key': 'news-ann' },
        body: { to: 'ann@example.com', subject: 'News for all', content: 'Hello' },
      },
    },
  },
  (request, sending) => sendAsAsked('send-global', request, sending),
);
