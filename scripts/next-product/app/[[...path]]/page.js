export default async function Page({ params }) {
  const { path = [] } = await params
  return <p>of the product: {path.join('/')}</p>
}
