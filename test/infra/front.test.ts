import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { createFront } from '../../infra/front.ts';
import { createApp } from './synthesised-stack.ts';

const apiBaseUrl = 'https://abc123.execute-api.eu-west-1.amazonaws.com';
const synthesise = (context: Record<string, unknown>) =>
  Template.fromStack(createFront(createApp(context)));

describe('the front that the README documents', () => {
  const template = synthesise({ apiBaseUrl, requestsPerAddress: '500' });

  it('hands every request on to the API, cached by nothing', () => {
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        DefaultCacheBehavior: {
          AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
          // AWS's own policies CachingDisabled and AllViewerExceptHostHeader.
          CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
          OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
          ViewerProtocolPolicy: 'https-only',
        },
        Origins: [{ DomainName: 'abc123.execute-api.eu-west-1.amazonaws.com' }],
      },
    });
  });

  it('refuses an address that asks too much', () => {
    template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      Rules: [
        {
          Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 500 } },
        },
      ],
    });
  });

  it('needs to know which API it stands in front of', () => {
    expect(() => synthesise({})).toThrow(/apiBaseUrl/);
  });
});
