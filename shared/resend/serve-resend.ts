import { byKey, serverWith, unadmittedServerWith } from '#shared/endpoints/serve';
import { presentedCredential } from '#shared/http/credential';
import {
  emailAnswerOf,
  renderEmailError,
  renderResendError,
  resendAnswerOf,
} from './resend-error.ts';

/** `serve`, with Resend's errors. */
export const serveResend = /* @__PURE__ */ serverWith(
  /* @__PURE__ */ byKey(presentedCredential, resendAnswerOf),
  renderResendError,
);

/** `serveUnadmitted`, with Resend's errors. For endpoints about an email. */
export const serveResendEmail = /* @__PURE__ */ unadmittedServerWith(
  renderEmailError,
  presentedCredential,
  emailAnswerOf,
);
