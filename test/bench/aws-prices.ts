/**
 * AWS's public on-demand prices in us-east-1, in dollars, without free tiers and volume discounts. They
 * were collected on this day from pages that quote AWS's own, named below: look there before a decision.
 */
export const aws = {
  asOf: '2026-11-21',
  region: 'us-east-1',
  /** aws.amazon.com/api-gateway/pricing, HTTP API, up to 512 KB a request. */
  httpApiRequest: 1.0e-6,
  /** aws.amazon.com/lambda/pricing, arm64. */
  lambdaRequest: 0.2e-6,
  lambdaGbSecond: 0.0000133334,
  /** aws.amazon.com/dynamodb/pricing/on-demand, standard table class. */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  storageGbMonth: 0.25,
  /** Point-in-time recovery, of the table's size. */
  backupGbMonth: 0.2,
  /** aws.amazon.com/sns/pricing, standard topic; deliveries to Lambda cost nothing. */
  snsPublish: 0.5e-6,
  /** aws.amazon.com/sqs/pricing, standard queue, each 64 KB of each call. */
  sqsRequest: 0.4e-6,
  /** aws.amazon.com/cloudwatch/pricing, standard log class. */
  logGb: 0.5,
  /** aws.amazon.com/ses/pricing: what comes on top of ours. */
  sesEmail: 100e-6,
} as const;
