import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A request as HTTP API hands it to a function (payload format 2.0: header names in lower case). */
export const buildHttpEvent = (
  overrides: Partial<APIGatewayProxyEventV2> = {},
): APIGatewayProxyEventV2 => ({
  version: '2.0',
  routeKey: 'POST /api/v1/emails/send',
  rawPath: '/api/v1/emails/send',
  rawQueryString: '',
  headers: { 'content-type': 'application/json' },
  requestContext: {
    accountId: '123456789012',
    apiId: 'api',
    domainName: 'api.example.com',
    domainPrefix: 'api',
    http: {
      method: 'POST',
      path: '/api/v1/emails/send',
      protocol: 'HTTP/1.1',
      sourceIp: '203.0.113.7',
      userAgent: 'test',
    },
    requestId: 'request-1',
    routeKey: 'POST /api/v1/emails/send',
    stage: '$default',
    time: '01/Jan/2026:00:00:00 +0000',
    timeEpoch: 1_767_225_600_000,
  },
  isBase64Encoded: false,
  ...overrides,
});
