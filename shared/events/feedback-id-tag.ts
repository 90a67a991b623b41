/** The message tag by which every event of SES leads back to its send. */
export const feedbackIdTag = 'feedback-id';
