import { SignatureV4 } from '@smithy/signature-v4';

/**
 * Replaces `@aws-sdk/signature-v4-multi-region` in the bundles. SES's client signs with it, but only SES's multi-Region
 * endpoints, which the service doesn't use, need its SigV4a.
 */
export class SignatureV4MultiRegion extends SignatureV4 {
  static readonly sigv4aDependency = () => 'none';
}
