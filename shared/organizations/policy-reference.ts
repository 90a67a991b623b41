export const policyWords = { key: 'The `policyKey` that a send names.' } as const;

export const examplePolicy = {
  kind: 'bulk',
  categoryKey: 'offers',
  key: 'offers',
  builtIn: false,
} as const;
