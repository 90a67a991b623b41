/** The tag of a domain in SES that says which organization it is for. Roles are restricted by it. */
export const ownerTag = 'transactional-email-organization';
