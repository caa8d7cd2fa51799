export const GET = () => Response.json(['4711'])
