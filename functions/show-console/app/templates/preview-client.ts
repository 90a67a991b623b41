import { type Answer, refuseFailure, send, session } from '../api-client.ts';

/** What a preview is made of; `variables` is JSON. */
export type PreviewInput = {
  readonly subject: string;
  readonly htmlContent: string;
  readonly content: string;
  readonly variables: string;
};
export type Rendered = Answer<'POST /api/v1/templates/{id}/render'>;

/** Where a draft becomes what is sent: to a frame as a page, to `preview` as its parts. */
export const previewAddress = '/console/preview';

/** @throws ApiFailure if the draft cannot be rendered; its fields say where the fault is. */
export async function preview(input: PreviewInput, signal?: AbortSignal): Promise<Rendered> {
  const body = new FormData();
  for (const [name, value] of Object.entries(input)) body.set(name, value);
  const response = await send(previewAddress, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body,
    ...(signal && { signal }),
  });
  if (response.status === 401) session.onEnd();
  await refuseFailure(response);
  return response.json();
}
