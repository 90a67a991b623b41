export const categoryWords = {
  key: 'The key of the category.',
  name: 'Its name, as people see it.',
} as const;

export const exampleCategory = { key: 'offers', name: 'Offers' } as const;
