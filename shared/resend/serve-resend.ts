import type { Authentication } from '#shared/access/admit-caller';
import type { Endpoint } from '#shared/endpoints/endpoint';
import { byKey, type OfKeys, serverOf, unadmittedServerOf } from '#shared/endpoints/serve';
import { presentedCredential } from '#shared/http/credential';
import {
  emailAnswerOf,
  renderEmailError,
  renderResendError,
  resendAnswerOf,
} from './resend-error.ts';

type ResendEndpoint = Endpoint & { readonly errorForm: 'resend' };

/** `serve`, with Resend's errors. */
export const serveResend = /* @__PURE__ */ serverOf<ResendEndpoint & OfKeys, Authentication>(
  /* @__PURE__ */ byKey(presentedCredential, resendAnswerOf),
  renderResendError,
);

/** `serveUnadmitted`, with Resend's errors. For endpoints about an email. */
export const serveResendEmail = /* @__PURE__ */ unadmittedServerOf<ResendEndpoint>(
  renderEmailError,
  presentedCredential,
  emailAnswerOf,
);
