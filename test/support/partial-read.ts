import * as z from 'zod';
import type { Action } from './faults.ts';

const partition = z.object({ pk: z.object({ S: z.string() }) });
const batchGetRequest = z.object({
  RequestItems: z.record(z.string(), z.looseObject({ Keys: z.array(partition.loose()) })),
});
const batchGetAnswer = z.object({
  Responses: z.record(z.string(), z.array(partition.loose())),
});

const isContact = ({ pk }: z.output<typeof partition>) => pk.S.includes('#CONTACT#');

/** DynamoDB reads all but the contacts, which it leaves unprocessed: a success with holes. */
export const leaveContactUnprocessed: Action = async ({ body, forward, respond }) => {
  const { RequestItems } = batchGetRequest.parse(body);
  const answer = await forward();
  const { Responses } = batchGetAnswer.parse(JSON.parse(answer.body));

  const holes = Object.entries(RequestItems).map(([table, request]) => [
    table,
    { ...request, Keys: request.Keys.filter(isContact) },
  ]);
  const read = Object.entries(Responses).map(([table, items]) => [
    table,
    items.filter((item) => !isContact(item)),
  ]);
  respond({
    status: 200,
    // Without the checksum of the answer that is no longer given.
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify({
      Responses: Object.fromEntries(read),
      UnprocessedKeys: Object.fromEntries(holes),
    }),
  });
};
