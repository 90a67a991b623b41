/** The variables of a function that sends, but for those with defaults. */
export const sendingVariables = {
  ATTACHMENTS_BUCKET_URL: 'https://bucket.example.com',
  AWS_REGION: 'eu-west-1',
  CONFIGURATION_SET_NAME: 'set',
  TOKEN_SIGNING_SECRET_ID: 'secret-1',
  PUBLIC_BASE_URL: 'https://mail-service.example.com',
  WEBHOOK_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/123456789012/webhooks',
  SEND_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/123456789012/sends',
};
