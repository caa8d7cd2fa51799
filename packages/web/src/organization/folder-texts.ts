/** The texts of the administration of channel folders. */
export const folderTexts = {
  title: 'Channel folders',
  about: 'A channel is put into a folder in the settings of the channel.',
  none: 'There are no folders.',
  name: 'Name',
  description: 'Description',
  channels: (count: number) => (count === 1 ? '1 channel' : `${count} channels`),
  add: 'Add a folder',
  archive: 'Archive',
  archiveWhat: (name: string) => `Archive: ${name}`,
  archiveQuestion: (name: string) => `Archive the folder “${name}”? It can be restored.`,
  archived: 'Archived',
  isArchived: (name: string) => `${name} is archived.`,
  restore: 'Restore',
  restoreWhat: (name: string) => `Restore: ${name}`,
  isRestored: (name: string) => `${name} is restored.`,
} as const
