# Sourced by the scripts that treat bridges to other packages apart, in the folder of the package.

# The traits, each the name of a bridge, as alternatives of a regular expression.
bridge_traits=$(sed -n 's/.*name: "\([A-Za-z]*\)", description: .*/\1/p' Package.swift | paste -sd '|')

# The first line of each source of a bridge, which is empty without its trait.
bridge_guard="^#if ($bridge_traits)\$"
