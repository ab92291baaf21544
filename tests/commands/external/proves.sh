echo "99 0 1 2 0" > "$2"
echo "s UNSATISFIABLE"
