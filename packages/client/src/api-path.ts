/** Where the API is below the address of a chat. */
export const apiPath = '/api/v1'
