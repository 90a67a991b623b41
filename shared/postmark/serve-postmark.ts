import { byKey, serverWith, unadmittedServerWith } from '#shared/endpoints/serve';
import { presentedCredential } from '#shared/http/credential';
import type { HttpRequest } from '#shared/http/http-endpoint';
import { postmarkAnswerOf, renderPostmarkError } from './postmark-error.ts';

/** Accepts a key as Postmark's clients present it, or as ours do. */
const presentedToken = (headers: HttpRequest['headers']): string | undefined =>
  headers['x-postmark-server-token'] ?? presentedCredential(headers);

/** `serve`, with Postmark's errors and token. */
export const servePostmark = /* @__PURE__ */ serverWith(
  /* @__PURE__ */ byKey(presentedToken, postmarkAnswerOf),
  renderPostmarkError,
);

/** `serveUnadmitted`, with Postmark's errors and token. */
export const servePostmarkUnadmitted = /* @__PURE__ */ unadmittedServerWith(
  renderPostmarkError,
  presentedToken,
  postmarkAnswerOf,
);
