/** Why an endpoint gets no events. */
export const disabledWords = {
  by_owner: 'your team disabled it',
  gone: 'it answered 410 Gone',
  failing: 'it failed for too long',
} as const;
