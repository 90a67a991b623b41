/**
 * Replaces two parts of the SDK that come with every client and never run: the cache of discovered endpoints
 * (`@aws-sdk/endpoint-cache`) and event streams (`@smithy/core/event-streams`), together 25 KB.
 */
export class EndpointCache {
  // Every DynamoDB client makes one, but only uses it if told to discover endpoints.
  get = unavailable;
}

export const EventStreamSerde = unavailable;
export const eventStreamSerdeProvider = unavailable;

function unavailable(): never {
  throw new Error('The bundles leave out this part of the SDK: see infra/constructs/bundling.ts');
}
